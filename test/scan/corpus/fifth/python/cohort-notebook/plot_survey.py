import matplotlib.pyplot as plt
import pandas as pd

rows = pd.read_parquet("survey.parquet")

fig, ax = plt.subplots(figsize=(8, 4))
for category, part in rows.groupby("category"):
    ax.hist(part["score"], bins=20, alpha=0.5, label=category)
ax.set_xlabel("score")
ax.legend()

best = rows.sort_values("score").iloc[-1]
ax.set_title(f"{best['name']}: {best['score']} of {best['max_score']}")
fig.savefig("survey.png")
print("survey.png written,", rows["category"].nunique(), "categories")
