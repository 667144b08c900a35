"""The random stream: its definition, its distributions, and its independence."""

from __future__ import annotations

import hashlib
import itertools
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from scipy import stats

from ppdm_desktop.engine.errors import Cancelled, InputError
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.randomness import KEY_BYTES, Key, RandomStream, RecipientSecret, StepStream, is_regular

INPUT, RECIPE = "ab" * 32, "cd" * 32


def stream(seed: int = 1, step: int = 1, purpose: str = "p", recipe: str = RECIPE) -> RandomStream:
    return StepStream(Key.from_seed(seed), INPUT, recipe, step).stream(purpose)


def test_words_are_the_shake_output_in_order() -> None:
    parts = [b"ppdm-1", Key.from_seed(1).bytes_, bytes.fromhex(INPUT), bytes.fromhex(RECIPE), b"1", b"p"]
    seed = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    expected = np.frombuffer(hashlib.shake_256(seed).digest(8 * 5000), dtype="<u8")
    found = stream()
    drawn = np.concatenate([found.words(n) for n in (1, 7, 1500, 3492)])
    assert (drawn == expected).all()


def test_uniform_is_the_declared_function_of_the_word() -> None:
    words = stream().words(1000)
    assert (stream().uniform(1000) == ((words >> np.uint64(11)).astype(float) + 0.5) * 2.0**-53).all()


@pytest.mark.parametrize("what", ["uniform", "normal", "gumbel"])
def test_distributions(what: str) -> None:
    drawn = getattr(stream(), what)(200_000)
    law = {"uniform": stats.uniform, "normal": stats.norm, "gumbel": stats.gumbel_r}[what]
    assert stats.kstest(drawn, law.cdf).pvalue > 1e-4  # the stream is fixed: this never flickers
    assert np.isfinite(drawn).all()


def test_integers_are_even_and_in_range() -> None:
    drawn = stream().integers(7, 70_000)
    counts = np.bincount(drawn, minlength=7)
    assert drawn.min() == 0
    assert drawn.max() == 6
    assert stats.chisquare(counts).pvalue > 1e-4


def test_integers_of_a_bound_that_rejects_half() -> None:
    drawn = stream().integers(2**63 + 1, 1000)
    assert (drawn.astype(np.uint64) <= 2**63).all()
    with pytest.raises(ValueError, match="bound"):
        stream().integers(0, 1)
    assert stream().integers(1, 3).tolist() == [0, 0, 0]


def test_integers_of_a_bound_that_divides_all_words_refuse_none() -> None:
    assert (stream().integers(2**62, 1000) == (stream().words(1000) % np.uint64(2**62)).astype(np.int64)).all()


def test_a_word_beyond_the_last_whole_multiple_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    bound = 3 * 2**61
    forced = iter([2**64 - 1, 2 * bound, 2 * bound - 1, 5])
    found = stream()
    taken: list[int] = []

    def words(count: int) -> np.ndarray:
        taken.extend(next(forced) for _ in range(count))
        return np.array(taken[-count:], dtype=np.uint64)

    monkeypatch.setattr(found, "words", words)
    assert found.integers(bound, 2).tolist() == [bound - 1, 5]
    assert len(taken) == 4, "two words are refused, and two more are drawn"


def test_each_third_of_a_bound_that_divides_badly_is_as_likely() -> None:
    bound = 3 * 2**61
    drawn = stream().integers(bound, 20_000)
    assert abs(float(np.mean(drawn < 2**61)) - 1 / 3) < 0.015  # the remainder alone: 3 of 8


def test_permutation_is_a_permutation() -> None:
    assert sorted(stream().permutation(1000)) == list(range(1000))


@pytest.mark.parametrize(
    "other", [{"seed": 2}, {"step": 2}, {"purpose": "q"}, {"recipe": "ce" * 32}], ids=lambda d: next(iter(d))
)
def test_each_part_gives_an_independent_stream(other: dict[str, object]) -> None:
    first, second = stream().normal(50_000), stream(**other).normal(50_000)  # type: ignore[arg-type]
    assert abs(np.corrcoef(first, second)[0, 1]) < 4 / np.sqrt(50_000)


def test_two_fields_cannot_run_into_each_other() -> None:
    assert (stream(step=1, purpose="1p").words(4) != stream(step=11, purpose="p").words(4)).any()


def test_keys() -> None:
    assert Key.fresh().bytes_ != Key.fresh().bytes_
    assert len(Key.fresh().bytes_) == 32
    key = Key.from_hex("0F" * 32 + "\n")
    assert key.hex() == "0f" * 32
    for bad in ("", "0f" * 31, "0g" * 32, "0f" * 33, " 0f" * 32):
        with pytest.raises(InputError):
            Key.from_hex(bad)


def test_trials_have_keys_of_their_own_that_are_the_same_each_time() -> None:
    key = Key.from_seed(5)
    first, second = key.replicate(0), key.replicate(1)
    assert first.bytes_ == key.replicate(0).bytes_
    assert len({key.bytes_, first.bytes_, second.bytes_, Key.from_seed(6).replicate(0).bytes_}) == 4
    assert len(first.bytes_) == KEY_BYTES


def test_the_secret_of_a_recipient() -> None:
    secret = RecipientSecret.fresh()
    assert RecipientSecret.from_hex(secret.hex()) == secret
    assert secret.fingerprint == hashlib.sha256(b"ppdm-1 recipient" + secret.bytes_).hexdigest()[:16]
    assert secret.hex() not in repr(secret)
    for text, id in (("0g" * 32, "malformed"), ("00" * 32, "regular")):
        with pytest.raises(InputError) as caught:
            RecipientSecret.from_hex(text, file="x")
        assert (caught.value.id, caught.value.file) == (f"error.recipient.{id}", "x")
    stand_in = RecipientSecret.stand_in(Key.from_seed(1))
    assert stand_in.is_stand_in
    assert not secret.is_stand_in
    assert stand_in == RecipientSecret.stand_in(Key.from_seed(1))


def test_a_regular_secret_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter([bytes(32), Key.from_seed(3).bytes_])
    monkeypatch.setattr("ppdm_desktop.engine.randomness.secrets.token_bytes", lambda size: next(drawn))
    assert RecipientSecret.fresh().bytes_ == Key.from_seed(3).bytes_


def test_each_step_has_streams_of_its_own() -> None:
    first = StepStream(Key.from_seed(1), INPUT, RECIPE, 1, recipient=RecipientSecret.stand_in(Key.from_seed(1)))
    second = first.for_step(2)
    assert (second.step, second.recipient) == (2, first.recipient)
    assert (second.stream("p").words(4) == stream(step=2).words(4)).all()
    assert (second.stream("p").words(4) != first.stream("p").words(4)).any()
    assert (first.asked, second.asked) == ({"p"}, {"p"}), "what was asked for is known of each step"


PLAIN = Key.from_seed(11).bytes_


@pytest.mark.parametrize(
    "bytes_",
    [
        bytes(32),
        bytes(range(32)),
        bytes(7 * each % 256 for each in range(32)),
        b"The key of our yearly release, 1",
        PLAIN[:19] + PLAIN[:13],
        PLAIN[:24] + PLAIN[:8],
    ],
    ids=["noughts", "counting", "counting by sevens", "a sentence", "few values", "a period"],
)
def test_a_key_that_follows_a_pattern_is_regular(bytes_: bytes) -> None:
    assert len(bytes_) == 32
    assert Key(bytes_, "file").is_regular()


@pytest.mark.parametrize(("different", "regular"), [(19, True), (20, False)])
def test_twenty_different_bytes_are_enough(different: int, regular: bool) -> None:
    some = list(dict.fromkeys(PLAIN))[:different]
    mixed = (some[(place**2 * 3 + 5 * place + 1) % different] for place in range(32 - different))
    assert is_regular(bytes([*some, *mixed])) is regular


@pytest.mark.parametrize(("different", "regular"), [(19, True), (20, False)])
def test_steps_from_byte_to_byte_are_counted_round_the_circle_of_256(different: int, regular: bool) -> None:
    """Half of the steps cross the end of the circle, so that any other circle would count more or fewer of them."""
    steps = [(11 * place % different) * 12 + 7 for place in range(31)]
    found = [0]
    for step in steps:
        found.append((found[-1] + step) % 256)
    assert len(set(found)) >= 20
    assert len({after - before for before, after in itertools.pairwise(found)}) > different
    assert is_regular(bytes(found)) is regular


def test_no_description_shows_a_key_or_a_secret_and_neither_can_be_changed() -> None:
    for kept in (Key.from_seed(1), RecipientSecret(PLAIN)):
        assert repr(kept.bytes_) not in repr(kept)
        with pytest.raises(FrozenInstanceError):
            kept.bytes_ = PLAIN  # type: ignore[misc]


def test_a_drawn_key_is_not_regular() -> None:
    assert not any(Key.from_seed(seed).is_regular() for seed in range(5_000))
    # Its last seven bytes are its first ones, which is too few to be a rule.
    assert not Key(PLAIN[:25] + PLAIN[:7], "file").is_regular()


def test_a_key_made_of_a_number_is_found_by_trying_numbers() -> None:
    assert Key.from_seed(20_000).find_seed(below=20_001) == 20_000
    assert Key.from_seed(20_000).find_seed(below=20_000) is None
    assert Key.from_seed(0).find_seed(below=1) == 0
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(Cancelled):
        stopped.run(Key.from_seed(20_000).find_seed)


def test_streams_are_the_same_ones_whether_or_not_they_were_asked() -> None:
    one, other = (StepStream(Key.from_seed(1), INPUT, RECIPE, 1) for _ in range(2))
    one.stream("swap")
    assert one == other
    assert (one.asked, other.asked) == ({"swap"}, set())
    assert "swap" not in repr(one)
    assert one.for_step(1).asked == set(), "of another step nothing was asked"
    assert one != StepStream(Key.from_seed(1), INPUT, RECIPE, 2)
