// Checks that run in a page of `sluice report`: events as a reader would cause them, and what the page shows then.
(() => {
  'use strict';
  const results = {};
  const check = (name, test) => {
    try { results[name] = test() === true; } catch (fault) { results[`${name}: ${fault}`] = false; }
  };
  const press = (target, key) => target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  const data = JSON.parse(document.getElementById('data').textContent);
  const places = [...document.querySelectorAll('[data-chart]')].filter((place) => place.dataset.drawn);
  const biggest = places.map((place) => [data.charts[Number(place.dataset.chart)].operations.length, place]).sort((a, b) => b[0] - a[0])[0];

  check('the page is dark where the reader asks for it', () => [...document.styleSheets].some((sheet) => [...sheet.cssRules].some((rule) => rule.conditionText && rule.conditionText.includes('dark'))));
  check('nothing is loaded', () => performance.getEntriesByType('resource').length === 0);
  check('the page is no wider than the window', () => document.documentElement.scrollWidth <= window.innerWidth + 1);
  check('every source line is there', () => document.querySelectorAll('.sourcebox tr[id]').length > 3);
  if (biggest) {
    const [, place] = biggest;
    const of = data.charts[Number(place.dataset.chart)];
    const view = place.querySelector('.chart');
    const svg = () => place.querySelector('.plot svg');
    const labels = [...place.querySelectorAll('.name')];
    check('a chart has a row for each operation', () => labels.length === of.operations.length);
    check('a chart has the width of its box', () => {
      const width = view.querySelector('.rows').getBoundingClientRect().width;
      return width >= view.clientWidth - 4 && width <= view.clientWidth + 4;
    });
    check('delays are known', () => of.operations.every((op) => op.to_ns !== undefined));
    const dependent = of.dependences[0];
    if (dependent) {
      check('the pointer shows the dependences of a row', () => {
        const box = view.querySelector('.rows').getBoundingClientRect();
        view.querySelector('.rows').dispatchEvent(new MouseEvent('mousemove', { clientY: box.top + dependent[0] * 20 + 10, clientX: box.left + 5, bubbles: true }));
        return svg().querySelectorAll('path.arrow.out').length >= 1 && place.querySelector('.detail').textContent.includes('awaited by');
      });
    }
    check('+ and - zoom', () => {
      const before = svg().getBoundingClientRect().width;
      press(view, '+');
      const wide = svg().getBoundingClientRect().width;
      press(view, '-');
      return wide > before * 1.3 && Math.abs(svg().getBoundingClientRect().width - before) < 2;
    });
    check('wheel and Ctrl zoom', () => {
      const before = svg().getBoundingClientRect().width;
      view.dispatchEvent(new WheelEvent('wheel', { deltaY: -1, ctrlKey: true, clientX: 600, bubbles: true, cancelable: true }));
      const wide = svg().getBoundingClientRect().width;
      press(view, '0');
      return wide > before * 1.1;
    });
    check('arrow keys select rows', () => {
      press(view, 'ArrowDown');
      press(view, 'ArrowDown');
      const selected = place.querySelectorAll('.name.selected');
      return selected.length === 1 && view.getAttribute('aria-activedescendant') === selected[0].id;
    });
    check('a selected row marks its source line', () => {
      const row = of.operations.findIndex((op) => op.line);
      labels[row].dispatchEvent(new MouseEvent('click', { clientY: labels[row].getBoundingClientRect().top + 5, bubbles: true }));
      const hit = document.querySelector('tr.hit');
      return Boolean(hit) && hit.id === `L${of.operations[row].line}`;
    });
    check('Enter goes to the source line', () => {
      press(view, 'Enter');
      return document.activeElement.closest('tr[id]') !== null;
    });
    check('a source line selects an operation', () => {
      const line = of.operations.find((op) => op.line).line;
      document.querySelector(`#L${line} a`).click();
      return [...document.querySelectorAll('.name.selected')].length === 1 && document.querySelector('tr.hit').id === `L${line}`;
    });
    check('Escape clears', () => { press(view, 'Escape'); return !place.querySelector('.name.selected'); });
    if (of.limit && of.limit.kind === 'recurrence' && of.ii) {
      check('the recurrence is drawn', () => svg().querySelectorAll('path.critical').length >= 2 && document.querySelectorAll('.sourcebox tr.hot').length > 0);
    }
    check('two redraws take less than 200 ms', () => {
      const start = performance.now();
      press(view, '+');
      press(view, '0');
      return performance.now() - start < 200;
    });
  }
  document.querySelectorAll('svg.graph').forEach((graph, n) => {
    check(`arrow keys walk through graph ${n}`, () => {
      press(graph, 'ArrowDown');
      return graph.querySelectorAll('.node.lit').length >= 1;
    });
  });
  check('no errors', () => { if (window.faults.length) throw new Error(window.faults.join('; ')); return true; });
  document.documentElement.setAttribute('data-checks', JSON.stringify(results));
})();
