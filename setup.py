from setuptools import find_packages, setup

# Everything that cannot be said in pyproject.toml: the folder resources/ (texts, samples,
# templates: no Python) is installed as ppdm_desktop.resources, in a wheel and in an editable
# install alike, and is found through importlib.resources.
setup(
    packages=[*find_packages(include=["ppdm_desktop", "ppdm_desktop.*"]), "ppdm_desktop.resources"],
    package_dir={"ppdm_desktop.resources": "resources"},
    package_data={"ppdm_desktop": ["py.typed"], "ppdm_desktop.resources": ["**/*"]},
    include_package_data=False,
)
