import * as z from 'zod'

/** Requests that are sent one after the other, again and again, over a fixed number of connections. */
export interface Load {
  method: 'GET' | 'POST'
  paths: string[]
  headers: Record<string, string>
  body?: string
  /** 16 by default; 1 where sixteen slow responses would not finish within the measurement. */
  connections?: number
}

export const LoadResult = z.object({
  requests: z.number(),
  seconds: z.number(),
  errors: z.number(),
  p50Ms: z.number(),
  p99Ms: z.number(),
})
export type LoadResult = z.output<typeof LoadResult>
