"""Deltas per second from the agent's pipe to a surface's end state, beside mere decoding; and memory."""

import subprocess
import sys

import msgspec

from bench import flood_server
from bench.flood_once import Flooded
from bench.scale import Figures, Scale, megabytes, spread_percent
from bench.yardsticks import time_bare, time_sdk

LONGER = 4  # times as many deltas: memory must not grow with them
LEAST_RATIO_TO_SDK = 2.0
AIM_RATIO_TO_BARE = 0.5


def measure(scale: Scale) -> Figures:
    wire = b"".join(flood_server.tell_turn(scale.deltas))
    floods: list[Flooded] = []
    rates: dict[str, list[float]] = {"ours": [], "sdk": [], "bare": []}
    for _ in range(scale.rounds):  # in turn, so that a busy moment of the machine meets all three
        floods.append(flood_once(scale.deltas))
        rates["ours"].append(scale.deltas / floods[-1].seconds)
        rates["sdk"].append(scale.deltas / time_sdk(wire))
        rates["bare"].append(scale.deltas / time_bare(wire))
    longer = flood_once(LONGER * scale.deltas)
    return {**compare(scale, rates), **weigh(floods[0], ""), **weigh(longer, f"_{LONGER}x")}


def flood_once(deltas: int) -> Flooded:
    done = subprocess.run(
        [sys.executable, "-m", "bench.flood_once", str(deltas)], stdout=subprocess.PIPE, check=True
    )
    return msgspec.json.decode(done.stdout, type=Flooded)


def compare(scale: Scale, rates: dict[str, list[float]]) -> Figures:
    ours, sdk, bare = (max(rates[name]) for name in ("ours", "sdk", "bare"))
    return {
        "deltas": scale.deltas,
        "deltas_per_s": round(ours),
        "sdk_decodes_per_s": round(sdk),
        "bare_decodes_per_s": round(bare),
        "ratio_to_sdk": round(ours / sdk, 2),
        "least_ratio_to_sdk": LEAST_RATIO_TO_SDK,
        "ratio_to_bare": round(ours / bare, 2),
        "aim_ratio_to_bare": AIM_RATIO_TO_BARE,
        "rounds": scale.rounds,
        "spread_percent": spread_percent(rates["ours"]),
        "sdk_spread_percent": spread_percent(rates["sdk"]),
        "bare_spread_percent": spread_percent(rates["bare"]),
    }


def weigh(flooded: Flooded, times: str) -> Figures:
    return {
        f"characters{times}": flooded.characters,
        f"rss_before_mb{times}": megabytes(flooded.rss_before),
        f"rss_peak_mb{times}": megabytes(flooded.rss_peak),
        f"rss_growth_mb{times}": megabytes(flooded.rss_peak - flooded.rss_before),
    }
