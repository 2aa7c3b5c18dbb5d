import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query'

/**
 * A query client whose `invalidateQueries` also restarts reads in progress. The library's own method restarts neither the first read of a
 * query nor a read that no component observes. The response of such a read may be older than the change, but would count as fresh.
 */
export class RestartingClient extends QueryClient {
  override invalidateQueries<K extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<K>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const reading = this.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })
    for (const query of reading) {
      if (query.state.data !== undefined && query.isActive()) continue
      // With `silent`, callers that wait for the first response get the response of the new read instead of an error.
      void query.cancel({ silent: true })
      query.fetch().catch(() => {})
    }
    return super.invalidateQueries(filters, options)
  }
}
