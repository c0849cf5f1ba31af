#!/bin/sh
# No command writes over what it reads: results, stores, studies, models, records, descriptions of robots. What is
# written takes its name when it is whole, and what is no ordinary file stays what it is.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

# keeps FILE: the file has the bytes of FILE.kept.
keeps() { cmp -s "$1" "$1.kept" || complain "$1 is not what it was"; }
rm -f link.h5 hard.h5 through.csv pipe ./*.part ./*.db
keep() { for file; do cp "$file" "$file.kept"; done; }

write_ball ball.yaml
cat >sweep.yaml <<'END'
model: ball.yaml
parameters: {h: [0.2, 0.3]}
quantities: {v: "impacts[1].v_in"}
END
cat >drop.csv <<'END'
height [m],speed [m/s]
0.2,1.40071
0.3,1.98091
END
cat >drop.yaml <<'END'
model: ball.yaml
parameters: {e: {from: 0.1, to: 0.9}}
records:
  - file: drop.csv
    each: {h: height}
    compare: {speed: "impacts[1].v_out/0.5"}
END
cat >best.yaml <<'END'
model: ball.yaml
parameters: {e: {from: 0.1, to: 0.9}}
quantities: {v: "impacts[1].v_out"}
minimise: (v - 1)^2
END
cat >robot.urdf <<'END'
<robot name="r"><link name="a"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>
END
run_carom 0 run ball.yaml -q -o .
run_carom 0 sweep sweep.yaml -q
ln -s ball.h5 link.h5
ln ball.h5 hard.h5
keep ball.yaml ball.h5 sweep.yaml sweep.db drop.csv drop.yaml best.yaml robot.urdf

# ---- export ----

for other in ball.h5 ./ball.h5 link.h5 hard.h5; do
    refuse_command 2 "is what is exported, which would be lost" export ball.h5 -o "$other"
    refuse_command 2 "is what is exported, which would be lost" export ball.h5 --table impacts -o "$other"
    keeps ball.h5
done
refuse_command 2 "is what is exported, which would be lost" export sweep.db -o sweep.db
keeps sweep.db

# a table that cannot be made leaves what was there
echo old >old.csv
run_carom 2 export ball.h5 --channels body.bal.position.y -o old.csv
[ "$(cat old.csv)" = old ] || complain "a table that was refused replaced the file"
run_carom 0 export ball.h5 -o old.csv
"$CAROM_EXECUTABLE" export ball.h5 >stdout.csv
cmp -s old.csv stdout.csv || complain "the table of a file and of standard output differ"
ls ./*.part 2>/dev/null && complain "a file that is not whole was left"

# through a link the file behind it is written
ln -s behind.csv through.csv
: >behind.csv
run_carom 0 export ball.h5 -o through.csv
[ -L through.csv ] || complain "the link was replaced"
cmp -s behind.csv stdout.csv || complain "the file behind the link was not written"

# a pipe is written, and stays one, also where the reader goes
mkfifo pipe
cat pipe >piped.csv &
run_carom 0 export ball.h5 -o pipe
wait $!
cmp -s piped.csv stdout.csv || complain "the pipe did not get the table"
[ -p pipe ] || complain "the pipe was removed"
(exec <pipe; sleep 0.2) &
(trap '' PIPE; "$CAROM_EXECUTABLE" export ball.h5 --group snapshots -o pipe >text.txt 2>error.txt)
wait $!
[ -p pipe ] || complain "a pipe whose reader went was removed"
"$CAROM_EXECUTABLE" export ball.h5 -o /dev/stdout >stdout2.csv
cmp -s stdout2.csv stdout.csv || complain "/dev/stdout did not get the table"

# ---- fit, optimise, import, tables of analyses ----

refuse_command 2 "is a record of the study, which would be lost; name another file by --output" fit drop.yaml -o drop.csv
refuse_command 2 "is the study, which" fit drop.yaml -m drop.yaml
refuse_command 2 "is the model of the study, which" fit drop.yaml -m ball.yaml
refuse_command 2 "is a record of the study, which" fit drop.yaml -m drop.csv
refuse_command 2 "is the study, which" optimise best.yaml -m best.yaml
refuse_command 2 "is the model of the study, which" optimise best.yaml -m ./ball.yaml
refuse_command 2 "is the robot's file, which" import robot.urdf -o robot.urdf
sed 's/until: 0.3/analysis: modes/' ball.yaml >modes.yaml
keep modes.yaml
refuse_command 2 "is the model, which" run modes.yaml --table modes=modes.yaml
keeps modes.yaml

# by the name that a command takes itself
cp ball.yaml drop-fitted.yaml
cp ball.yaml best-optimal.yaml
keep drop-fitted.yaml best-optimal.yaml
sed 's/ball.yaml/drop-fitted.yaml/' drop.yaml >own.yaml
mv own.yaml drop.yaml
sed 's/ball.yaml/best-optimal.yaml/' best.yaml >own.yaml
mv own.yaml best.yaml
keep drop.yaml best.yaml
refuse_command 2 "is the model of the study, which would be lost; name another file by --model" fit drop.yaml
refuse_command 2 "is the model of the study, which would be lost; name another file by --model" optimise best.yaml
run_carom 0 fit drop.yaml -q --brief -m other.yaml
run_carom 0 optimise best.yaml -q -m other.yaml
for file in ball.yaml ball.h5 sweep.yaml sweep.db drop.csv drop.yaml best.yaml robot.urdf drop-fitted.yaml best-optimal.yaml; do
    keeps "$file"
done

# ---- what is no ordinary file is written and stays ----

cat pipe >new.yaml &
run_carom 0 new pendulum --force -o pipe
wait $!
[ -p pipe ] && [ -s new.yaml ] || complain "carom new did not write to the pipe, or removed it"
cat pipe >new2.yaml &
run_carom 0 optimise best.yaml -q -m pipe
wait $!
[ -p pipe ] && cmp -s new2.yaml other.yaml || complain "carom optimise did not write to the pipe, or removed it"

finish
