"""Attacks are declared once: nothing else lists them, and what speaks of one reads its class."""

from __future__ import annotations

import pytest
from kept_values import dataclasses_of, faults_of

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.base.declaration import all_methods
from ppdm_desktop.engine.release import attack_audit
from ppdm_desktop.engine.release.attack_audit.base import (
    KINDS,
    all_attacks,
    find_attack,
    list_standard_attacks,
    register,
)
from ppdm_desktop.engine.wording.texts import explain


def test_attacks_come_in_their_order_and_kinds_in_theirs() -> None:
    orders = [attack.order for attack in all_attacks().values()]
    assert orders == sorted(set(orders))
    assert {attack.kind for attack in all_attacks().values()} == set(KINDS)


def test_what_is_made_on_any_release_comes_in_the_order_of_all() -> None:
    assert set(list_standard_attacks()) >= {"singling-out", "linkage", "inference"}, (
        "what others ask for first (WP 216)"
    )
    assert [id for id in all_attacks() if id in list_standard_attacks()] == list(list_standard_attacks())


def test_an_unknown_attack_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError) as refused:
        find_attack("linkages")
    assert "Did you mean “linkage”?" in explain(refused.value)
    with pytest.raises(InputError) as refused:
        find_attack("q")
    assert "Did you mean" not in explain(refused.value)
    assert ", ".join(all_attacks()) in explain(refused.value)


def test_an_id_is_given_once() -> None:
    known = find_attack("linkage")
    with pytest.raises(ValueError, match="two declarations"):
        register(type(known))
    assert find_attack("linkage") is known


def test_an_attack_whose_text_is_missing_is_refused_when_it_is_declared() -> None:
    sentences = {"none": "attack.linkage.none", "total": "attack.linkage.lost"}
    with pytest.raises(ValueError, match=r"attack\.linkage\.lost"):
        register(type("Lost", (type(find_attack("linkage")),), {"id": "lost", "sentences": sentences}))
    assert "lost" not in all_attacks()


def test_what_methods_call_for_exists() -> None:
    called = {attack for method in all_methods().values() for attack in method.attacks}
    assert called <= set(all_attacks())


def test_what_attacks_on_a_candidate_found_stays_as_it_is() -> None:
    # It keeps the neighbours it found last.
    assert faults_of(attack_audit) == ["_Nearest can be changed"]
    assert len(dataclasses_of(attack_audit)) > 5
