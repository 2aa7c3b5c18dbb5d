// Runs before first paint. The same rule as theme.ts, which takes over once the console is there.
;(function () {
  var choice
  try {
    choice = localStorage.getItem('slipway.theme')
  } catch {
    // Storage may be blocked; the system's theme is then the choice.
  }
  var dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mode = dark ? 'dark' : 'light'
})()

// Shows the text of index.html about scripts that do not load or do not run. A failed picture is no reason.
addEventListener(
  'error',
  function (event) {
    if (event.target === window || event.target.tagName === 'SCRIPT')
      document.documentElement.dataset.load = 'failed'
  },
  true,
)
