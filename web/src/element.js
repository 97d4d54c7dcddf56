// element.js - one element of the page in one line
export function el(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false || value === null) continue;
    if (name === 'text') e.textContent = value;
    else e.setAttribute(name, value === true ? '' : value);
  }
  e.append(...children);
  return e;
}
