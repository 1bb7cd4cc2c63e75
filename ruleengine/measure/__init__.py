"""What games come to, and how sure that is: rulings, differences, sweeps, balance."""
