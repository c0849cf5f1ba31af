#!/bin/sh
# Figure 11: normal forces of the feet of the hexapod (models/hexapod.yaml), (a) of legs 1, 3, 5 and (b) of 2, 4, 6. To
# check: three feet bear the robot in turn; the rear one most at first, the front one at the end; peaks between.
. "$(dirname "$0")/setup.sh"
simulate hexapod.yaml
draw a contact.foot_1.force contact.foot_3.force contact.foot_5.force --y-label "normal force" $many
draw b contact.foot_2.force contact.foot_4.force contact.foot_6.force --y-label "normal force" $many
