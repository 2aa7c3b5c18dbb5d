/** Each grammar is imported by its name: the packages' ready sets bring completion, which nobody needs to read. */
export { typescriptLanguage as grammar } from '@codemirror/lang-javascript'
