import * as z from 'zod'

/** The id of a provider, unique within an app. */
export const ProviderId = z
  .string()
  .regex(/^[a-z][a-z0-9]{1,30}$/, 'must be 2 to 31 small letters and digits')

/** Short enough that all fields of a provider fit into one variable of 5 kB. */
export const Address = z.url({ protocol: /^https$/ }).max(500)

/** Allows plain http for a provider on the same machine: a browser opens this address, and no secret is sent to it. */
export const PageAddress = z
  .url({ protocol: /^https?$/ })
  .max(500)
  .refine((text) => {
    const { protocol, hostname } = new URL(text)
    return protocol === 'https:' || ['127.0.0.1', 'localhost'].includes(hostname)
  }, 'must begin with https://, except on this machine')
