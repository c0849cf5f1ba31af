#!/bin/sh
# Autiero et al. 2022, Figs. 11-16: scotch yoke with a curved slot by the five fits of Table 11: contact force (11)
# and penetration (12) in the second turn of the crank, a detail of the penetration (13) and of the force (14),
# loops of one contact with rebound (15; here the first of the run, which begins with the same speed for all), and
# position, velocity, acceleration of the slider (16 a, b, c). To check: no force near 100 degrees of the relative
# crank angle (8.03 rad in the second turn); forces are equal while the pin follows a track, penetrations are not;
# of equal exponents the stiffer the fit the higher the force; steeper loops of Johnson and Radzimowsky; hardly a
# difference in the position.
STYLE=${STYLE:-double-column}
. "$(dirname "$0")/setup.sh"
name=autiero_2022_fig
labels=lankarani,radzimowsky,johnson,goldsmith,esdu
vary scotch_yoke_ends.yaml fit 1,2,3,4,5 --set 'r=50*mm'
# over FIGURE CHANNEL A B LABEL [options of `carom plot`]: over the relative crank angle, from A to B degrees of the second
# turn.
over()
{
    figure=$1 channel=$2 from=$3 to=$4 label=$5
    shift 5
    overlay "$figure" "$channel" --against joint.main.coordinate --x-range "2*pi + $from*deg:2*pi + $to*deg" \
        --x-label "relative crank angle" --y-label "$label" $many "$@"
}
over 11 contact.slot.force 0 360 "contact force"
over 12 contact.slot.indentation 0 360 penetration --y-range 0:0.28*mm
over 13 contact.slot.indentation 150 210 penetration --y-range 0:140*um
over 14 contact.slot.force 60 150 "contact force"
over 16a body.slider.position.x 0 360 "position of the slider"
over 16b body.slider.velocity.x 0 360 "velocity of the slider"
over 16c body.slider.acceleration.x 0 360 "acceleration of the slider"
[ "$STYLE" != double-column ] || STYLE=single-column
overlay 15 --loop slot --impact 1 --x-label penetration --y-label "contact force" $many
