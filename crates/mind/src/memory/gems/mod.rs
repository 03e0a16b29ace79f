//! Gems: reading them out of a model's answer or out of the turns themselves, and what becomes of them over time.
