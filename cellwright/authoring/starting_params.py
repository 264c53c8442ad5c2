"""`params.yaml` as it begins: every threshold with its reason, and the benchmark's name, version and canary."""

from __future__ import annotations

from cellwright.authoring.settings import BundleSettings
from cellwright.validators.thresholds import thresholds_yaml


def params_yaml(settings: BundleSettings) -> str:
    """The text of `params.yaml`; `make schemas` writes this repository's own with it, and `init` a new one's."""
    return thresholds_yaml() + _BUNDLE.format(
        name=settings.name, version=settings.version, canary=settings.canary, sealed=str(settings.sealed).lower()
    )


_BUNDLE = """\
bundle:
  # The benchmark's name and the version to be built; a release sets the version.
  name: {name}
  version: {version}
  # Where it is published, for its card and its citation: url: https://…
  # Unique to this benchmark: whoever finds it in training data knows that the answers leaked.
  canary: {canary}
  # Whether the references are encrypted: `true` needs a key (guidelines/sealing.md).
  sealed: {sealed}
"""
