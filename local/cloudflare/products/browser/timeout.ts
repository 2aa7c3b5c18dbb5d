import { BrowserRefusal } from './refusal.ts'

/** Rejects with a `BrowserRefusal` after `timeoutMs`. Does not cancel `work`. */
export async function withTimeout<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    const giveUp = () =>
      reject(new BrowserRefusal(2005, `The page did not finish loading within ${timeoutMs} ms`))
    timer = setTimeout(giveUp, timeoutMs)
  })
  try {
    return await Promise.race([work(), limit])
  } finally {
    clearTimeout(timer)
  }
}
