# Sourced by the scripts of this folder, with the name of a package of Debian in $package and the script's own options. Unpacks the package's
# source into a scratch folder, which is removed at the end, and goes there. Sets $top, $locktoll, $rounds and $folder.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
locktoll=$top/target/release/locktoll
source=
rounds=10
while [ $# -gt 0 ]; do
    case $1 in
        --locktoll) locktoll=$(realpath "$2"); shift 2 ;;
        --source) source=$(realpath "$2"); shift 2 ;;
        *) rounds=$1; shift ;;
    esac
done
folder=$(mktemp -d "${TMPDIR:-/tmp}/whatif-$package-XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"
if [ -n "$source" ]; then
    cp -a "$source" source
else
    apt-get source -qq "$package"
    mv "$package"-[0-9]*/ source
fi
cd source
