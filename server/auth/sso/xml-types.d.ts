// The types of the XML libraries below single sign-on load all of the browser's (`lib="dom"`), which hide those of Node.
// `paths` in tsconfig.base.json puts this file in their place.
declare const types: never
export default types
