#!/bin/sh
# Geneva wheel, a turn of the crank: (a) speed of the wheel, with that of the ideal one (points), (b) forces of pin and
# lock. To check: the speed follows the ideal one after the bounces of the entry; the lock holds against the torque.
. "$(dirname "$0")/setup.sh"
simulate geneva_wheel.yaml
# -w (q cos a - q^2)/(1 + q^2 - 2 q cos a) at t = (a + 100 degrees)/w, w = 2 pi rad/s, q^2 = 1/2
awk 'BEGIN { q = sqrt(0.5); w = 2*atan2(0, -1)
             for (k = -44; k <= 44; k += 4) {
                 a = k*w/360
                 printf "%.9g,%.9g\n", (a + 100*w/360)/w, -w*q*(cos(a) - q)/(1 + q*q - 2*q*cos(a)) } }' >"$data/ideal.csv"
draw a body.wheel.angular_velocity --data "ideal=$data/ideal.csv" --labels wheel --y-label "speed of the wheel"
draw b contact.pin.force contact.lock.force --labels pin,lock --y-label force --y-range 0:60
