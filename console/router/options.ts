import { parseSearch, stringifySearch } from './search.ts'

/** The options of the router that pages rely on. The tests of pages use them, too. */
export const ROUTER_OPTIONS = {
  parseSearch,
  stringifySearch,
  // A page that changes to another project, run or conversation is mounted again. Otherwise it would keep its state, and with it the text
  // that was typed for the first one.
  defaultRemountDeps: ({ params }: { params: unknown }) => params,
}
