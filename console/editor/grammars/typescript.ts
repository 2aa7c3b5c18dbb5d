/** Each grammar is imported by its name: the packages' bundles include completion, which a reader does not need. */
export { typescriptLanguage as grammar } from '@codemirror/lang-javascript'
