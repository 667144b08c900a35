"""What the readers of SPSS, Stata, SAS and Parquet share: writing numbers, dates and labels as exact texts."""
