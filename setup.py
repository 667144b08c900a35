import sys
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

sys.path.append(str(Path(__file__).resolve().parent / "packaging"))
from translations import compile_translations


class BuildWithTranslations(build_py):
    def run(self):
        compile_translations()
        super().run()


# Everything that cannot be said in pyproject.toml: the translations are compiled, and the folder resources/ (texts,
# samples, templates: no Python) is installed as ppdm_desktop.resources, in a wheel and in an editable install alike,
# and is found through importlib.resources.
setup(
    cmdclass={"build_py": BuildWithTranslations},
    packages=[*find_packages(include=["ppdm_desktop", "ppdm_desktop.*"]), "ppdm_desktop.resources"],
    package_dir={"ppdm_desktop.resources": "resources"},
    package_data={"ppdm_desktop": ["py.typed"], "ppdm_desktop.resources": ["**/*"]},
    include_package_data=False,
)
