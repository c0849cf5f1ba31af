#!/bin/sh
# `carom schema --install vscode` adds the schema to the settings of the folder and changes nothing else of them.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"
settings=.vscode/settings.json
rm -rf .vscode # of a run before

run_carom 0 schema
head -c 1 text.txt | grep -q '{' || complain "no schema"
cp text.txt schema.json
run_carom 0 schema --install vscode
cmp -s schema.json .vscode/carom.schema.json || complain "the schema differs"
printf '{\n  "yaml.schemas": {"./.vscode/carom.schema.json": ["*.yaml"]}\n}\n' | cmp -s - $settings || { complain "settings:"; cat $settings; }
cp $settings before.json
run_carom 0 schema --install vscode
cmp -s before.json $settings || complain "a second time changes the settings"
run_carom 0 schema --install vscode --files 'models/*.yaml'
expect '{"./.vscode/carom.schema.json": ["models/*.yaml"]}' $settings
run_carom 0 schema --install vscode
expect '["models/*.yaml"]' $settings

# what was there stays, comments and commas at the end included
cat >$settings <<'END'
// of the project
{
    "editor.rulers": [120], // "yaml.schemas": {}
    /* { */ "a\"}": {"yaml.schemas": {"b": 1}},
}
END
cp $settings before.json
run_carom 0 schema --install vscode
expect '"./.vscode/carom.schema.json": ["*.yaml"]' $settings
grep -v carom.schema $settings >after.txt
sed 's/^{$/{/' before.json | cmp -s - after.txt || { complain "other settings have changed:"; cat $settings; }
cat >$settings <<'END'
{"x": 1, "yaml.schemas": {"other.json": "*.yml"}}
END
run_carom 0 schema --install vscode
tr -d '\n' <$settings | grep -qF '{"x": 1, "yaml.schemas": {    "./.vscode/carom.schema.json": ["*.yaml"],"other.json": "*.yml"}}' || { complain "beside another:"; cat $settings; }

# what is no object stays as it is
for wrong in '[1, 2]' '{"yaml.schemas": 3}' '{"a": ' '{"a" 1}' '{} x'; do
    echo "$wrong" >$settings
    refuse_command 4 'it stays as it is' schema --install vscode
    [ "$(cat $settings)" = "$wrong" ] || complain "$wrong has become $(cat $settings)"
done
refuse_command 2 "unknown editor 'emacs'" schema --install emacs
refuse_command 2 "carom schema" list schema
finish
