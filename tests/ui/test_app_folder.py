"""Window and command line keep settings and the list of releases in the same folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QApplication

from ppdm_desktop.cli.app_folder import APPLICATION, config_folder


@pytest.fixture
def _named(qapp: QApplication) -> Iterator[None]:
    """The application under the name of the real one."""
    before = qapp.applicationName(), qapp.organizationName()
    qapp.setApplicationName(APPLICATION)
    qapp.setOrganizationName("")
    yield
    qapp.setApplicationName(before[0])
    qapp.setOrganizationName(before[1])


@pytest.mark.usefixtures("_named")
@pytest.mark.parametrize("config", [None, "", "relative/folder", "/nowhere/at all"])
def test_both_doors_agree(config: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if config is None:
        monkeypatch.delenv("XDG_CONFIG_HOME")
    else:
        monkeypatch.setenv("XDG_CONFIG_HOME", config)
    of_qt = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppConfigLocation)
    assert config_folder() == Path(of_qt)


def test_the_window_has_the_name_the_command_line_uses() -> None:
    import inspect

    from ppdm_desktop.ui import app

    assert f'setApplicationName("{APPLICATION}")' in inspect.getsource(app.build_application)
