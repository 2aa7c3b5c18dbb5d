// Replaces the type declarations of two XML libraries that the single sign-on plugin depends on (`paths` in
// tsconfig.base.json). The replaced declarations include `lib="dom"`, whose global types would hide those of Node.
declare const types: never
export default types
