// The browser globals that a component may read while the check of a build renders it without a browser. All
// other browser globals are missing, so that the check reports a component that uses them.
const storage = {
  length: 0,
  getItem: () => null,
  setItem: () => {},
  removeItem: () => {},
  clear: () => {},
  key: () => null,
}
const media = { matches: false, addEventListener: () => {}, removeEventListener: () => {} }

const stubs: Record<string, unknown> = {
  window: globalThis,
  localStorage: storage,
  sessionStorage: storage,
  location: new URL('http://app.test/'),
  matchMedia: () => media,
}
for (const [name, value] of Object.entries(stubs)) {
  if (!(name in globalThis))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
}
