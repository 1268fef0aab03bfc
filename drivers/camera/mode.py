"""Whether a camera granted what it was asked for. Pure."""

from drivers.camera.frame import Mode

SLOW = 0.6


def mode_problem(asked: Mode, granted: Mode) -> str:
    """One sentence if the camera works in another mode than wanted, "" if it does not."""
    if granted.width and (granted.width, granted.height) != (asked.width, asked.height):
        return (
            f"the camera gives {granted.width}x{granted.height} instead of "
            f"{asked.width}x{asked.height}: set camera.width and camera.height to what it can"
        )
    if granted.fourcc and granted.width and granted.fourcc != asked.fourcc:
        return f"the camera gives {granted.fourcc} instead of {asked.fourcc}: pictures come slowly"
    if granted.width and 0 < granted.fps < SLOW * asked.fps:
        return f"the camera gives {granted.fps:g} pictures a second instead of {asked.fps:g}"
    return ""
