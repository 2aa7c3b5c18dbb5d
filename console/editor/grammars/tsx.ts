export { tsxLanguage as grammar } from '@codemirror/lang-javascript'
