import { parseSearch, stringifySearch } from './search.ts'

/** The router options on which pages rely. The tests of pages also use them. */
export const ROUTER_OPTIONS = {
  parseSearch,
  stringifySearch,
  // A page that changes to another project, run or conversation is mounted again. Otherwise it would keep its state, including text that
  // was typed before the change.
  defaultRemountDeps: ({ params }: { params: unknown }) => params,
}
