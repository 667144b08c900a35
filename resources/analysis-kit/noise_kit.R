# Correct results for the random noise in released numbers. Written for R 3.6 and newer, run in R 4.2; needs no package.
#
#     Rscript noise_kit.R                                    means, standard deviations, covariances
#     Rscript noise_kit.R --regression PAY AGE YEARS         linear regression of PAY on AGE and YEARS
#     Rscript noise_kit.R --naive-bayes CLASS AGE PAY        naive Bayes: one normal distribution for each class
#     Rscript noise_kit.R --histogram PAY --bars 20          shares of equal bars of the true values
#
# It reads noise-law.json beside itself, and the data file in the folder above. "Low" and "high" are the ends of a
# 95 % confidence interval. Rows with a missing value in a column that is used are left out.
# Numbers with noise are corrected; other columns are used as they are.
#
# The noise of some columns may be turned back at zero or at both ends of a public range ("reflected_at" and
# "reflected_above" in the law). It moves values near the ends, so that it cannot be subtracted: for these columns only
# the histogram is corrected.
# noise_kit.py does the same in Python, function by function.

Z <- 1.959963984540054
STOP <- 0.0025  # when the reconstruction ends: by the sum of changes,
MOST <- 500     # and after so many rounds at the latest
FLOOR <- 0.001  # least share of the variance seen that is left of a corrected one in naive Bayes
CELLS <- 40     # narrow cells that a distribution is reconstructed on, at least
DRAWS <- 200    # releases drawn again for the interval of a bar

# Return the folder of this script.
here <- function() {
  given <- grep("^--file=", commandArgs(FALSE), value = TRUE)
  if (length(given) > 0) dirname(normalizePath(sub("^--file=", "", given[1]))) else getwd()
}


# --- the noise ---------------------------------------------------------------------------------

# Return what a text in JSON says: objects and lists as lists, null as NULL.
read_json <- function(text) {
  chars <- strsplit(text, "")[[1]]
  at <- 1L

  skip <- function() {
    while (at <= length(chars) && chars[at] %in% c(" ", "\n", "\r", "\t")) at <<- at + 1L
  }

  string <- function() {
    at <<- at + 1L
    found <- character(0)
    while (chars[at] != "\"") {
      if (chars[at] == "\\") {
        at <<- at + 1L
        if (chars[at] == "u") {
          found <- c(found, intToUtf8(strtoi(paste(chars[at + (1:4)], collapse = ""), 16L)))
          at <<- at + 4L
        } else {
          found <- c(found, switch(chars[at], n = "\n", t = "\t", r = "\r", b = "\b", f = "\f", chars[at]))
        }
      } else {
        found <- c(found, chars[at])
      }
      at <<- at + 1L
    }
    at <<- at + 1L
    paste(found, collapse = "")
  }

  word <- function() {
    from <- at
    while (at <= length(chars) && grepl("[-+.0-9A-Za-z]", chars[at])) at <<- at + 1L
    found <- paste(chars[from:(at - 1L)], collapse = "")
    switch(found, "true" = TRUE, "false" = FALSE, "null" = NULL, as.numeric(found))
  }

  items <- function(end, named) {
    found <- list()
    at <<- at + 1L
    skip()
    while (chars[at] != end) {
      if (named) {
        key <- string()
        skip()
        at <<- at + 1L  # the colon
        found <- c(found, structure(list(value()), names = key))
      } else {
        found <- c(found, list(value()))
      }
      skip()
      if (chars[at] == ",") at <<- at + 1L
      skip()
    }
    at <<- at + 1L
    found
  }

  value <- function() {
    skip()
    if (chars[at] == "{") return(items("}", TRUE))
    if (chars[at] == "[") return(items("]", FALSE))
    if (chars[at] == "\"") return(string())
    word()
  }

  value()
}

# Return the noise law: which columns carry noise, how much, and how their noise goes together.
read_law <- function(path = file.path(here(), "noise-law.json")) {
  read_json(paste(readLines(path, encoding = "UTF-8", warn = FALSE), collapse = "\n"))
}

# Return the group of noisy columns that a column belongs to, NULL where it carries no noise.
group_of <- function(law, name) {
  for (group in law[["noise"]]) {
    if (name %in% unlist(group[["columns"]])) return(group)
  }
  NULL
}

# Return the place of a column in its group.
place_in <- function(group, name) match(name, unlist(group[["columns"]]))

# Return where the noise of a column is turned back, NULL where it is simply added.
reflected_at <- function(law, name) {
  group <- group_of(law, name)
  if (is.null(group)) NULL else group[["reflected_at"]][[place_in(group, name)]]
}

# End where the noise of a column cannot be subtracted.
refuse_reflected <- function(law, names) {
  for (name in names) {
    if (!is.null(reflected_at(law, name))) {
      stop(
        "The noise of ", name, " is turned back and moves values near the ends, so it cannot be subtracted. ",
        "Only its histogram is corrected: --histogram ", name,
        call. = FALSE
      )
    }
  }
}

# Return the variance that drawing a value again inside its band added (Sheppard; on a grid of this step).
band_variance <- function(band, step) (2 * band^2 - step^2) / 12

# Return the covariance of the noise of these columns, a matrix.
noise_covariance <- function(law, names) {
  found <- matrix(0, length(names), length(names))
  for (one in seq_along(names)) {
    group <- group_of(law, names[one])
    if (is.null(group)) next
    shares <- unlist(group[["shares"]])
    place <- place_in(group, names[one])
    for (other in seq_along(names)) {
      beside <- place_in(group, names[other])
      if (!is.na(beside)) {
        sds <- unlist(group[["sd"]][[place]]) * unlist(group[["sd"]][[beside]])
        found[one, other] <- group[["correlation"]][[place]][[beside]] * sum(shares * sds)
      }
    }
    bands <- unlist(group[["band"]][[place]])
    found[one, one] <- found[one, one] + sum(shares * band_variance(bands, group[["step"]][[place]]))
  }
  found
}


# --- the data ----------------------------------------------------------------------------------

# Return the released columns as texts, by name.
read_data <- function(law, path = file.path(dirname(here()), law[["data_file"]])) {
  rows <- read.table(
    path,
    header = FALSE, sep = law[["delimiter"]], quote = "\"", dec = ".", colClasses = "character", na.strings = character(0),
    comment.char = "", blank.lines.skip = FALSE, stringsAsFactors = FALSE, encoding = "UTF-8"
  )
  found <- lapply(rows, function(column) column[-1])
  names(found) <- vapply(rows, function(column) column[1], "")
  found
}

# Return texts as numbers, NA where a text is none.
numbers <- function(law, texts) {
  plain <- gsub(law[["decimal"]], ".", sub("^'+", "", texts), fixed = TRUE)
  suppressWarnings(as.numeric(plain))
}

# Return numeric columns as one matrix without the rows that lack a value.
complete <- function(columns) {
  matrix <- do.call(cbind, unname(columns))
  matrix[rowSums(is.na(matrix)) == 0, , drop = FALSE]
}


# --- results -----------------------------------------------------------------------------------

# Return mean, low and high of each column. Noise has mean 0: means need no correction, only a wider interval.
means <- function(w) {
  middle <- colMeans(w)
  error <- apply(w, 2, sd) / sqrt(nrow(w))
  list(found = middle, low = middle - Z * error, high = middle + Z * error)
}

# Return the corrected covariance matrix, and its low and high.
covariance <- function(w, noise) {
  rows <- nrow(w)
  centred <- sweep(w, 2, colMeans(w))
  found <- crossprod(centred) / (rows - 1) - noise
  error <- matrix(0, ncol(w), ncol(w))
  for (one in seq_len(ncol(w))) {
    for (other in seq_len(ncol(w))) {
      error[one, other] <- sd(centred[, one] * centred[, other]) / sqrt(rows)
    }
  }
  list(found = found, low = found - Z * error, high = found + Z * error)
}

# Return intercept and slopes of the first column on the others, with low and high, corrected for the noise.
#
# The moments estimator of Fuller (Measurement Error Models, 1987, section 2.2): (S_xx - N_xx)^-1 (S_xy - N_xy), N the
# covariance of the noise. The interval is that of the estimating equations ("sandwich").
regression <- function(w, noise) {
  rows <- nrow(w)
  slopes <- ncol(w) - 1
  middle <- colMeans(w)
  y <- w[, 1] - middle[1]
  x <- sweep(w[, -1, drop = FALSE], 2, middle[-1])
  of_x <- noise[-1, -1, drop = FALSE]
  of_y <- noise[-1, 1]
  m <- crossprod(x) / rows - of_x
  if (min(eigen(m, symmetric = TRUE, only.values = TRUE)$values) <= 0) {
    stop("The noise is too strong for a regression on these columns: try fewer of them.", call. = FALSE)
  }
  b <- as.vector(solve(m, as.vector(crossprod(x, y)) / rows - of_y))
  predicted <- as.vector(x %*% b)
  score <- sweep(x * y - x * predicted, 2, of_y - as.vector(of_x %*% b))
  inverse <- solve(m)
  spread <- inverse %*% crossprod(score) %*% inverse / rows / max(rows - slopes - 1, 1)
  # The intercept depends on the means and, through them, on the slopes.
  influence <- (y - predicted) - as.vector(score %*% inverse %*% middle[-1])
  first <- sum(influence^2) / rows / max(rows - slopes - 1, 1)
  found <- c(middle[1] - sum(middle[-1] * b), b)
  error <- sqrt(c(first, diag(spread)))
  list(found = found, low = found - Z * error, high = found + Z * error)
}

# Return by class: share, means with low and high, and corrected standard deviations.
#
# A corrected variance is never below a thousandth of the one seen.
naive_bayes <- function(w, classes, noise) {
  found <- list()
  for (name in sort(unique(classes), method = "radix")) {
    own <- w[classes == name, , drop = FALSE]
    if (nrow(own) < 2) next
    seen <- apply(own, 2, var)
    spread <- sqrt(pmax(seen - diag(noise), FLOOR * seen))
    model <- list(share = nrow(own) / nrow(w), mean = means(own), sd = spread)
    found <- c(found, structure(list(model), names = name))
  }
  found
}

# Return the likeliest class of records WITHOUT noise, a matrix, by a model of naive_bayes.
classify <- function(model, values) {
  logs <- vapply(model, function(each) {
    off <- sweep(sweep(values, 2, each$mean$found), 2, each$sd, "/")
    log(each$share) - sum(log(each$sd)) - 0.5 * rowSums(off^2)
  }, numeric(nrow(values)))
  names(model)[max.col(matrix(logs, nrow = nrow(values)), ties.method = "first")]
}


# --- histograms --------------------------------------------------------------------------------

# Return the integral of the noise's distribution function up to u, a matrix like u.
integral <- function(law, sd, u) {
  if (law == "uniform") {
    half <- sqrt(3) * sd
    inside <- pmin(pmax(u, -half), half)
    return((inside + half)^2 / (4 * half) + pmax(u - half, 0))
  }
  u * pnorm(u / sd) + sd * dnorm(u / sd)
}

# Return P(true value and noise <= w | true value in bar), a matrix of length(w) rows.
noisy_below <- function(law, sd, w, bars) {
  steps <- integral(law, sd, outer(w, bars, "-"))
  last <- length(bars)
  sweep(steps[, -last, drop = FALSE] - steps[, -1, drop = FALSE], 2, diff(bars), "/")
}

# Return the same for noise that is turned back at the mirror, and at the top where there is one.
turned_below <- function(law, sd, w, bars, mirror, top) {
  period <- if (is.null(top)) 0 else 2 * (top - mirror)
  most <- if (period > 0) ceiling(8 * sd / period) + 1 else 0
  below <- 0
  for (shift in period * seq(-most, most)) {
    below <- below + noisy_below(law, sd, w + shift, bars) - noisy_below(law, sd, 2 * mirror - w + shift, bars)
  }
  below[w <= mirror, ] <- 0
  below
}

# Return P(released value in cell | true value in bar), a row for each cell; the outer cells take the tails.
kernel <- function(law, group, place, bars, cells) {
  found <- matrix(0, length(cells) - 1, length(bars) - 1)
  inner <- cells[-c(1, length(cells))]
  mirror <- group[["reflected_at"]][[place]]
  top <- group[["reflected_above"]][[place]]
  shares <- unlist(group[["shares"]])
  for (level in seq_along(shares)) {
    sd <- group[["sd"]][[place]][[level]]
    band <- group[["band"]][[place]][[level]]
    if (is.null(mirror)) {
      total <- sqrt(sd^2 + band_variance(band, group[["step"]][[place]]))
      below <- noisy_below(law, total, inner, bars)
    } else if (band > 0) {
      # Inside a band the released value is spread evenly, and the bands start where noise is turned back.
      start <- mirror + floor((inner - mirror) / band) * band
      part <- (inner - start) / band
      low <- turned_below(law, sd, start, bars, mirror, top)
      below <- low + part * (turned_below(law, sd, start + band, bars, mirror, top) - low)
    } else {
      below <- turned_below(law, sd, inner, bars, mirror, top)
    }
    below <- pmin(pmax(below, 0), 1)
    found <- found + shares[level] * diff(rbind(0, below, 1))
  }
  found
}

# Return the share of each bar by expectation maximisation (Agrawal and Srikant 2000; Agrawal and Aggarwal 2001).
#
# It stops early on purpose: run on, the estimate follows the noise.
reconstruct <- function(counts, a, stop = STOP, most = MOST) {
  shares <- rep(1 / ncol(a), ncol(a))
  weights <- counts / sum(counts)
  for (round in seq_len(most)) {
    expected <- pmax(as.vector(a %*% shares), 1e-300)
    updated <- shares * as.vector(crossprod(a, weights / expected))
    updated <- updated / sum(updated)
    change <- sum(abs(updated - shares))
    shares <- updated
    if (change < stop) break
  }
  shares
}

# Return the edges of the bars, and share, low and high of each.
#
# The interval is from drawing the released values again (percentile bootstrap, fixed seed). It holds the noise and the
# sample; it does not hold what stopping early smooths away. Its ends differ a little from those in Python, because
# the random numbers do.
histogram <- function(law, name, w, bars = 20, low = NULL, high = NULL, draws = DRAWS) {
  group <- group_of(law, name)
  if (is.null(group)) stop(name, " carries no noise: count it directly.", call. = FALSE)
  place <- place_in(group, name)
  sd <- sqrt(noise_covariance(law, name)[1, 1])
  mirror <- group[["reflected_at"]][[place]]
  top <- group[["reflected_above"]][[place]]
  bounds <- if (is.null(top)) unlist(group[["bounds"]][[place]]) else c(mirror, top)
  seen <- mean((w - mean(w))^2)
  spread <- sqrt(max(seen - sd^2, 0.01 * seen))
  if (is.null(low)) low <- if (is.null(bounds)) max(min(w), mean(w) - 3 * spread) else bounds[1]
  if (is.null(high)) high <- if (is.null(bounds)) min(max(w), mean(w) + 3 * spread) else bounds[2]
  if (!is.null(mirror) && is.null(top) && low <= 0) low <- mirror
  # Estimated on narrow cells and put together in bars: inside a wide one values are not spread evenly.
  each <- max(1, ceiling(CELLS / bars))
  edges <- seq(low, high, length.out = bars * each + 1)
  width <- edges[2] - edges[1]
  beyond <- ceiling(2 * sd / width)
  cells <- low + width * seq(-beyond, bars * each + beyond)
  if (!is.null(mirror)) cells <- cells[cells > mirror - width / 2]
  if (!is.null(top)) cells <- cells[cells < top + width / 2]
  a <- kernel(group[["law"]], group, place, edges, cells)
  inner <- cells[-c(1, length(cells))]
  counts <- tabulate(findInterval(w, inner) + 1, nbins = length(cells) - 1)

  in_bars <- function(seen) colSums(matrix(reconstruct(seen, a), nrow = each))

  set.seed(0)
  drawn <- rmultinom(draws, length(w), counts / length(w))
  again <- apply(drawn, 2, in_bars)
  again <- matrix(again, nrow = bars)
  ends <- apply(again, 1, quantile, probs = c(0.025, 0.975), names = FALSE)
  list(edges = edges[seq(1, bars * each + 1, by = each)], found = in_bars(counts), low = ends[1, ], high = ends[2, ])
}


# --- printing ----------------------------------------------------------------------------------

# Print rows below their headings, numbers with four significant digits.
print_table <- function(head, labels, columns) {
  texts <- c(list(c(head[1], labels)), lapply(seq_along(columns), function(place) {
    c(head[place + 1], sprintf("%.4g", columns[[place]]))
  }))
  padded <- lapply(seq_along(texts), function(place) {
    column <- texts[[place]]
    gap <- strrep(" ", max(nchar(column)) - nchar(column))
    if (place == 1) paste0(column, gap) else paste0(gap, column)
  })
  cat(paste0(do.call(paste, c(padded, list(sep = "  "))), "\n"), "\n", sep = "")
}

# Return what was asked for by name, from the words after the script.
read_arguments <- function(words) {
  given <- list(bars = 20)
  several <- c("--regression", "--naive-bayes")
  single <- c("--histogram", "--bars", "--low", "--high")
  at <- 1
  while (at <= length(words)) {
    option <- words[at]
    if (!option %in% c(several, single)) stop("unknown option: ", option, call. = FALSE)
    last <- at
    most <- if (option %in% single) at + 1 else length(words)
    while (last < min(most, length(words)) && !words[last + 1] %in% c(several, single)) last <- last + 1
    if (last == at) stop(option, " needs a value", call. = FALSE)
    given[[sub("^--", "", option)]] <- words[(at + 1):last]
    at <- last + 1
  }
  for (option in c("bars", "low", "high")) {
    if (!is.null(given[[option]])) given[[option]] <- as.numeric(given[[option]])
  }
  given
}

# Read the folder and print what was asked for.
main <- function(words) {
  given <- read_arguments(words)
  law <- read_law()
  data <- read_data(law)

  known <- function(names, subtracted = TRUE) {
    for (name in names) {
      if (!name %in% names(data)) {
        stop("there is no column ", name, "; there are ", paste(names(data), collapse = ", "), call. = FALSE)
      }
    }
    if (subtracted) refuse_reflected(law, names)
    names
  }

  values <- function(names, subtracted = TRUE) {
    lapply(known(names, subtracted), function(name) numbers(law, data[[name]]))
  }

  if (!law[["rows_are_people"]]) {
    cat("Some people have several rows: the intervals are too narrow, because they take rows for people.\n\n")
  }
  if (!is.null(given[["regression"]])) {
    names <- given[["regression"]]
    if (length(names) < 2) stop("a regression needs a column to explain and at least one other", call. = FALSE)
    found <- regression(complete(values(names)), noise_covariance(law, names))
    print_table(
      c(paste(names[1], "on"), "estimate", "low", "high"), c("(intercept)", names[-1]),
      list(found$found, found$low, found$high)
    )
  }
  if (!is.null(given[["naive-bayes"]])) {
    target <- given[["naive-bayes"]][1]
    names <- known(given[["naive-bayes"]])[-1]
    if (length(names) == 0) stop("naive Bayes needs a class and at least one column of numbers", call. = FALSE)
    matrix <- do.call(cbind, values(names))
    there <- rowSums(is.na(matrix)) == 0
    model <- naive_bayes(matrix[there, , drop = FALSE], data[[target]][there], noise_covariance(law, names))
    for (name in names(model)) {
      own <- model[[name]]
      cat(target, " = ", name, ": share ", sprintf("%.4g", own$share), "\n", sep = "")
      print_table(
        c("", "mean", "low", "high", "sd"), names, list(own$mean$found, own$mean$low, own$mean$high, own$sd)
      )
    }
  }
  if (!is.null(given[["histogram"]])) {
    name <- given[["histogram"]]
    w <- complete(values(name, subtracted = FALSE))[, 1]
    found <- histogram(law, name, w, given[["bars"]], given[["low"]], given[["high"]])
    last <- length(found$edges)
    bars <- sprintf("%.6g to %.6g", found$edges[-last], found$edges[-1])
    print_table(c(name, "share", "low", "high"), bars, list(found$found, found$low, found$high))
  }
  if (is.null(given[["regression"]]) && is.null(given[["naive-bayes"]]) && is.null(given[["histogram"]])) {
    every <- unlist(lapply(law[["noise"]], function(group) unlist(group[["columns"]])))
    is_added <- vapply(every, function(name) is.null(reflected_at(law, name)), TRUE)
    for (name in every[!is_added]) {
      cat(name, ": its noise is turned back at zero. Only its histogram is corrected: --histogram ", name, "\n\n",
        sep = ""
      )
    }
    names <- every[is_added]
    if (length(names) == 0) return(invisible(NULL))
    matrix <- complete(values(names))
    found <- covariance(matrix, noise_covariance(law, names))
    middle <- means(matrix)
    print_table(c("mean of", "estimate", "low", "high"), names, list(middle$found, middle$low, middle$high))
    ends <- lapply(found, function(each) sqrt(pmax(diag(each), 0)))
    print_table(c("standard deviation of", "estimate", "low", "high"), names, list(ends$found, ends$low, ends$high))
    if (length(names) > 1) {
      pairs <- which(lower.tri(found$found), arr.ind = TRUE)
      pairs <- pairs[order(pairs[, 1], pairs[, 2]), , drop = FALSE]
      labels <- paste0(names[pairs[, 2]], ", ", names[pairs[, 1]])
      print_table(
        c("covariance of", "estimate", "low", "high"), labels,
        list(found$found[pairs], found$low[pairs], found$high[pairs])
      )
    }
  }
  invisible(NULL)
}

if (sys.nframe() == 0L) main(commandArgs(trailingOnly = TRUE))
