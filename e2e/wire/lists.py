"""Lists of models, as the vendors' types have them: Denizen must find in them what it asks for."""

from features import feature
from spoken import Say


@feature("the list of models is read")
def listed(trial):
    trial.says()
    status = trial.session.do("configure")
    trial.same("the provider that was chosen", status["provider"], trial.vendor.provider)
    names = [model["id"] for model in trial.vendor.listed]
    trial.expect(status["model"] in names, f"{status['model']} was chosen, which the vendor does not list")
    ending = [model["id"] for model in trial.vendor.listed if model.get("ends")]
    trial.expect(status["model"] not in ending, f"{status['model']} was chosen, which is about to end")
    routes = [seen.route for seen in trial.case.seen]
    trial.expect(any(route.endswith(("/models", "/api/tags")) for route in routes), "nobody asked for the list")


@feature("doctor --deep asks only what the vendor takes")
def examined(trial):
    trial.says(Say("Hello."))
    trial.session.do("configure")
    findings = trial.session.do("examine")["findings"]
    trial.expect(bool(findings), "there are no findings")
    trial.expect(bool(trial.asked()), "the model was not asked")
