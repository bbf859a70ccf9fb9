// Sorts, filters and pages tables.

document.documentElement.classList.add("scripted");

// Rows of a table on one page. Shorter tables have no pages and no field to search.
const ROWS = 50;

document.querySelectorAll("table.sortable").forEach((table) => {
  const body = table.tBodies[0];
  const all = [...body.rows].map((row) => ({ row, name: row.querySelector("th").textContent.toLowerCase() }));
  const controls = table.classList.contains("paged") && all.length > ROWS ? pager(table, find, turn) : null;
  let found = all;
  let page = 0;

  function show() {
    const pages = Math.max(1, Math.ceil(found.length / ROWS));
    page = Math.max(0, Math.min(page, pages - 1));
    const rows = controls ? found.slice(page * ROWS, (page + 1) * ROWS) : found;
    body.replaceChildren(...rows.map((each) => each.row));
    if (controls) controls(found.length, page, pages);
  }

  function find(text) {
    const wanted = text.trim().toLowerCase();
    found = all.filter((each) => each.name.includes(wanted));
    page = 0;
    show();
  }

  function turn(pages) {
    page += pages;
    show();
  }

  headings(table, (column, sign) => {
    all.forEach((each) => (each.value = cellValue(each.row.cells[column])));
    const compare = (one, other) => sign * order(one.value, other.value, sign);
    all.sort(compare);
    found.sort(compare);
    page = 0;
    show();
  });
  if (controls) show();
});

// Makes the headings of a table buttons. Numbers are sorted in descending order first, names in ascending order; the
// next click reverses the order.
function headings(table, sort) {
  const cells = [...table.tHead.rows[0].cells];
  cells.forEach((heading, column) => {
    if (heading.tagName !== "TH") return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const number = heading.classList.contains("n") && heading.textContent !== "Rank";
      const [first, other] = number ? ["descending", "ascending"] : ["ascending", "descending"];
      const next = heading.getAttribute("aria-sort") === first ? other : first;
      cells.forEach((each) => each.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", next);
      sort(column, next === "ascending" ? 1 : -1);
    });
  });
}

// The value of a cell: the number it begins with, or its text. A dash is no value.
function cellValue(cell) {
  const text = cell.textContent.trim();
  const number = parseFloat(text.replace(/[\u2009\u202f]/g, "").replace("\u2212", "-").replace("\u00bd", ".5"));
  return text === "\u2013" || text === "" ? null : Number.isNaN(number) ? text : number;
}

// Compares values; cells without one come last, whatever the sign.
function order(one, other, sign) {
  if (one === null || other === null) return sign * ((one === null) - (other === null));
  return typeof one === "number" && typeof other === "number" ? one - other : String(one).localeCompare(String(other));
}

// Adds a field to search and buttons for the pages in front of a table; returns a function that shows where it is.
function pager(table, find, turn) {
  const controls = document.createElement("div");
  const label = document.createElement("label");
  const input = document.createElement("input");
  const place = document.createElement("span");
  const button = (text, pages) => {
    const made = document.createElement("button");
    made.type = "button";
    made.append(text);
    made.addEventListener("click", () => turn(pages));
    return made;
  };
  const [back, on] = [button("\u2190 Back", -1), button("Next \u2192", 1)];
  controls.className = "pages";
  input.type = "search";
  input.addEventListener("input", () => find(input.value));
  label.append("Find a name ", input);
  place.setAttribute("role", "status");
  controls.append(label, back, on, place);
  table.closest(".scroll").before(controls);
  return (rows, page, pages) => {
    place.textContent = `${rows} found, page ${page + 1} of ${pages}`;
    back.disabled = page === 0;
    on.disabled = page + 1 >= pages;
  };
}
