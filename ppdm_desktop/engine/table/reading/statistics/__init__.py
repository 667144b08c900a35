"""What the readers of SPSS, Stata, SAS and Parquet share: numbers, dates and labels as exact texts."""
