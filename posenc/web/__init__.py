"""From the proven table to the pages: the only place that knows of Jinja, Markdown and Plotly."""
