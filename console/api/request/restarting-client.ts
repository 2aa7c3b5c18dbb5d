import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query'

/**
 * A query client whose invalidations also restart the reads in progress that the library lets end: the first one of a
 * query, and those that no component observes. Such a response can be older than the change, and the list would
 * be shown as fresh without it.
 */
export class RestartingClient extends QueryClient {
  override invalidateQueries<K extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<K>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const reading = this.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })
    for (const query of reading) {
      if (query.state.data !== undefined && query.isActive()) continue
      // Silent: callers that wait for the first response get the one of the new read.
      void query.cancel({ silent: true })
      query.fetch().catch(() => {})
    }
    return super.invalidateQueries(filters, options)
  }
}
