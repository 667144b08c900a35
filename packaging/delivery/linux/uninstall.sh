#!/bin/sh
# Takes away what install.sh put there. With --with-settings also the settings and the list of releases of this
# user: without that list the program no longer notices a second release of the same file.
set -eu

place="$HOME/.local/lib/ppdm-desktop"
commands="$HOME/.local/bin"
share="${XDG_DATA_HOME:-$HOME/.local/share}"
settings="${XDG_CONFIG_HOME:-$HOME/.config}/PPDM Desktop"

case "${1:-}" in
"" | --with-settings) ;;
*)
    echo "uninstall.sh takes no argument but --with-settings." >&2
    exit 2
    ;;
esac
if [ ! -e "$place/FILES.sha256" ]; then
    echo "PPDM Desktop is not installed in $place." >&2
    exit 1
fi

# This script may lie in the folder that it removes: nothing of it is read after its last line began.
remove() {
    cd "$place/share"
    find . -type f | while IFS= read -r file; do rm -f "$share/$file"; done
    cd "$HOME"
    if [ "$(readlink "$commands/ppdm-desktop" || true)" = "$place/ppdm-desktop" ]; then rm -f "$commands/ppdm-desktop"; fi
    rm -rf "$place"
    # Lists that the system made of what lay there: made again, and away where nothing is left to list.
    if command -v update-mime-database >/dev/null && [ -d "$share/mime/packages" ]; then
        update-mime-database "$share/mime" || true
        if [ -z "$(ls -A "$share/mime/packages")" ]; then rm -rf "$share/mime"; fi
    fi
    if command -v update-desktop-database >/dev/null && [ -d "$share/applications" ]; then
        update-desktop-database "$share/applications" || true
        if [ "$(ls -A "$share/applications")" = mimeinfo.cache ]; then rm -f "$share/applications/mimeinfo.cache"; fi
    fi
    for folder in icons/hicolor/scalable/apps icons/hicolor/scalable icons/hicolor/48x48/apps icons/hicolor/48x48 \
        icons/hicolor/256x256/apps icons/hicolor/256x256 icons/hicolor icons applications mime/packages mime; do
        rmdir "$share/$folder" 2>/dev/null || true
    done
    rmdir "$share" "$commands" "$HOME/.local/lib" "$HOME/.local" 2>/dev/null || true
    if [ "${1:-}" = --with-settings ]; then
        rm -rf "$settings"
        echo "PPDM Desktop, its settings and its list of releases are removed."
    else
        echo "PPDM Desktop is removed. Its settings and its list of releases stay in $settings"
    fi
    exit 0
}
remove "$@"
