"""What things are: files and their models, quantities, units, derivations, scoring, findings. Pure."""
