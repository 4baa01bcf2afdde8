for (const box of document.querySelectorAll(".filter")) {
  const rows = [...document.querySelectorAll("tr[data-words]")];
  const input = box.querySelector("input"), count = box.querySelector("span");
  const show = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(word => word);
    let shown = 0;
    for (const row of rows) {
      row.hidden = !words.every(word => row.dataset.words.includes(word));
      shown += !row.hidden;
    }
    count.textContent = words.length ? shown + " of " + rows.length + " rows" : "";
  };
  box.style.display = "block";
  input.addEventListener("input", show);
}
for (const mark of document.querySelectorAll("svg a")) {
  mark.addEventListener("click", () => {
    const row = document.getElementById(mark.getAttribute("href").slice(1));
    const more = row && row.querySelector("details");
    if (row) row.hidden = false;
    if (more) more.open = true;
  });
}
