#!/bin/sh
# many_bodies.sh COUNT [LINES]: a model of so many equal balls, thrown up and turning, which touch nothing, at fixed steps.
# LINES are appended to it. For tests and measurements of results and reports with thousands of channels.
awk -v n="$1" -v more="${2-}" 'BEGIN {
    print "carom: 1\ntitle: " n " free balls\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:"
    for (k = 1; k <= n; k++) {
        turn = k * 2.399963; far = 0.05 * sqrt(k); level = k % 7
        printf "  ball_%d: {mass: 0.1, inertia: [4e-5, 4e-5, 4e-5], at: [%.6f, %.6f, %.3f], ", k, far * cos(turn), far * sin(turn), 0.1 * level
        printf "velocity: [%.4f, %.4f, %.4f], ", cos(3 * turn), sin(3 * turn), 3 + level / 7
        printf "angular_velocity: [%.3f, %.3f, %.3f]}\n", 5 * cos(turn), 5 * sin(2 * turn), level
    }
    print "shapes:"
    for (k = 1; k <= n; k++)
        printf "  skin_%d: {type: sphere, on: ball_%d, radius: 0.03}\n", k, k
    print "run: {until: 0.5, integrator: rk4, step: 2*ms, output: {every: 2*ms" more "}}"
}'
