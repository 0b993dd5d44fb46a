"""The search vendors there is a driver for, in the order a new deployment asks them."""

from web_discover.drivers.brave import DRIVER as BRAVE

DRIVERS = (BRAVE,)
