#!/bin/sh
# Balls poured into a box (models/poured_balls.yaml): (a) energies over time; (b) pairs that touch and the largest normal force. To
# check: what was kinetic and potential is dissipated, by the dampings twice as much as by friction; pairs grow to some 2.5 a ball.
# COUNT (500) is the number of balls.
. "$(dirname "$0")/setup.sh"
simulate poured_balls.yaml --set "count=${COUNT:-500}"
draw a energy.kinetic energy.potential energy.dissipated_contact energy.dissipated_friction $many
draw b contact.pour.count --right contact.pour.largest_force $many
