"""The privacy of a perturbed column, computed exactly from the value distribution and the noise.

Agrawal & Aggarwal (2001, section 2), Liu et al. (2008, section 3): the privacy of a value is Π = 2^h, where h is its
differential entropy in bits: the width of the interval in which a uniform value is as uncertain. The privacy that
remains once the release is known is the conditional privacy; the privacy loss is the share that is lost, 1 - 2^(-I),
where I is the mutual information in bits. If I is inserted in nats (``unit="nats"``), the mean losses fit the printed
Tables 7 to 9 of Liu et al. (.161, .139 and .162 against .1597, .1306 and .1442, of which Haberman is 12 % off), not
their Table 2, which bits fit (.2835 to .2851 against .2816).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.noise.integration import Prior, mutual_information
from ppdm_desktop.engine.noise.kernels import Channel, NoiseLaw, checked

Unit = Literal["bits", "nats"]


@dataclass(frozen=True)
class PrivacyLoss:
    """How much privacy the release takes from the values of a column.

    Attributes
    ----------
    information_bits
        Mutual information of the original and the released value, in bits.
    loss
        1 - 2^(-I), at least 0 and below 1; with ``unit="nats"`` I is put there in nats.
    pi
        Privacy of the original before the release, in the column's unit.
    conditional_pi
        Privacy left after it, ``pi`` · (1 - ``loss``).
    """

    information_bits: float
    loss: float
    pi: float
    conditional_pi: float


def privacy_loss(information_bits: float, entropy_bits: float, unit: Unit = "bits") -> PrivacyLoss:
    """Return the privacy figures for a mutual information and the entropy of the original, both in bits.

    Information below 0 (an estimate can fall there) counts as 0.
    """
    information = max(information_bits, 0.0)
    kept = 2.0 ** -(information * math.log(2.0) if unit == "nats" else information)
    pi = 2.0**entropy_bits
    return PrivacyLoss(information, 1.0 - kept, pi, pi * kept)


def channel_loss(
    x_edges: Floats,
    x_shares: Floats,
    law: NoiseLaw,
    *,
    cell_width: float | None = None,
    origin: float = 0.0,
    reflected: bool = False,
    unit: Unit = "bits",
) -> PrivacyLoss:
    """Return the privacy loss when all records have one level: noise, then a uniform draw from the lattice cell.

    Parameters
    ----------
    x_edges, x_shares
        Cells of the original, shapes (T + 1,) and (T,); inside a cell it counts as uniform.
    law
        Noise of phase 1.
    cell_width, origin
        The lattice of phase 2; None leaves it out.
    reflected
        Whether what falls below ``origin`` is reflected there.
    unit
        ``"nats"`` puts nats where bits belong, which fits Tables 7 to 9 of the paper, not its Table 2.
    """
    only = (Channel(1.0, law, cell_width),)
    return mixture_loss(x_edges, x_shares, only, origin=origin, reflected=reflected, level_known=False, unit=unit)


def mixture_loss(
    x_edges: Floats,
    x_shares: Floats,
    channels: Sequence[Channel],
    *,
    origin: float = 0.0,
    reflected: bool = False,
    level_known: bool,
    unit: Unit = "bits",
) -> PrivacyLoss:
    """Return the privacy loss when records have several levels that do not depend on their values.

    Parameters
    ----------
    channels
        What each level does; the shares sum to 1.
    reflected
        Whether what falls below ``origin`` is reflected there.
    level_known
        Whether the reader knows each record's level. Known levels give the mean of the levels'
        informations, hidden ones less.
    """
    prior = Prior.of(x_edges, x_shares)
    channels = checked(channels)
    if not level_known:
        return privacy_loss(mutual_information(prior, channels, origin, reflected=reflected), prior.entropy, unit)
    alone = [
        channel.share * mutual_information(prior, (replace(channel, share=1.0),), origin, reflected=reflected)
        for channel in channels
    ]
    return privacy_loss(sum(alone), prior.entropy, unit)
