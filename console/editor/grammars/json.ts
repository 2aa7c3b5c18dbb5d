export { jsonLanguage as grammar } from '@codemirror/lang-json'
