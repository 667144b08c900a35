#!/bin/sh
# Installs PPDM Desktop for the user who runs this, without rights of an administrator and without a network.
# Run it again from a newer delivery to update. uninstall.sh takes everything away again.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
programs="$HOME/.local/lib"
place="$programs/ppdm-desktop"
commands="$HOME/.local/bin"
share="${XDG_DATA_HOME:-$HOME/.local/share}"

stop() {
    echo "$1" >&2
    exit 1
}

[ "$here" != "$place" ] || stop "This is the installed program. Run install.sh from the unpacked delivery."
cd "$here"
echo "Comparing the files with the shipped list"
sha256sum --check --strict --quiet FILES.sha256 ||
    stop "These files are not as they were shipped. Nothing was installed. Fetch the delivery again."
if [ -e "$place" ] && [ ! -e "$place/FILES.sha256" ]; then
    stop "$place exists and is no PPDM Desktop. Move it away, then run this again."
fi
if [ -e "$commands/ppdm-desktop" ] && [ "$(readlink "$commands/ppdm-desktop" || true)" != "$place/ppdm-desktop" ]; then
    stop "$commands/ppdm-desktop exists and is another program. Move it away, then run this again."
fi

echo "Copying to $place"
mkdir -p "$programs" "$commands"
new=$(mktemp -d "$programs/.ppdm-desktop-new.XXXXXX")
trap 'rm -rf "$new"' EXIT
chmod 755 "$new"
cp -R -P . "$new/"
old="$new.old"
# The program that is there stays until the whole new one is.
if [ -e "$place" ]; then mv "$place" "$old"; fi
if ! mv "$new" "$place"; then
    if [ -e "$old" ]; then mv "$old" "$place"; fi
    stop "The program could not be put into $place. What was there before is there still."
fi
rm -rf "$old"
ln -sf "$place/ppdm-desktop" "$commands/ppdm-desktop"

(cd "$place/share" && find . -type f) | while IFS= read -r file; do
    mkdir -p "$share/$(dirname "$file")"
    cp "$place/share/$file" "$share/$file"
done
entry="$share/applications/ppdm-desktop.desktop"
# Menus do not look into ~/.local/bin everywhere: the entry names the whole path.
sed -i -e "s|^Exec=.*|Exec=\"$place/ppdm-desktop\" %f|" -e "s|^TryExec=.*|TryExec=$place/ppdm-desktop|" "$entry"
if command -v update-mime-database >/dev/null; then update-mime-database "$share/mime" || true; fi
if command -v update-desktop-database >/dev/null; then update-desktop-database "$share/applications" || true; fi

echo "PPDM Desktop is installed. It is in the menu, and its command is $commands/ppdm-desktop"
