const field = document.querySelector('.pages input'); let longest = 0;
    for (const text of ['a', 'ag', 'age', 'agent', 'agent1', 'agent12', 'agent123', '']) {
      const begin = performance.now();
      field.value = text;
      field.dispatchEvent(new Event('input'));
      document.body.getBoundingClientRect();
      longest = Math.max(longest, performance.now() - begin);
    }
    field.value = 'agent123';
    field.dispatchEvent(new Event('input'));
    return [longest, document.querySelector('.standings').tBodies[0].rows.length];