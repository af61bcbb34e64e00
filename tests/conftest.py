"""The Hypothesis profiles: the same examples on every run, and no clock decides a test."""

from hypothesis import HealthCheck, Phase, settings

settings.register_profile(
    "laws",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=100,
    # Measures seconds: a loaded machine would fail a law that holds.
    suppress_health_check=(HealthCheck.too_slow,),
)
# To see that a bug is caught, its smallest example isn't needed.
settings.register_profile(
    "mutants", settings.get_profile("laws"), phases=(Phase.explicit, Phase.generate)
)
settings.load_profile("laws")
