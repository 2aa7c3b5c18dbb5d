import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type {
  CreateDiscountCodeData,
  CreatePaymentProductData,
  PaymentProduct,
} from '@slipway/sdk/client/types.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../../../api/query-keys.ts'
import { call } from '../../../api/request/client.ts'

export type Product = PaymentProduct
export type NewProduct = NonNullable<CreatePaymentProductData['body']>
export type NewCode = NonNullable<CreateDiscountCodeData['body']>

/** The products of the project, including archived products. The service reads the names and prices from Stripe at each request. */
export const productsQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.live(projectId, 'pay', 'products'),
    queryFn: ({ signal }) => call(api.listPaymentProducts({ path: { projectId }, signal })),
    staleTime: 0,
  })

export const codesQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.live(projectId, 'pay', 'codes'),
    queryFn: ({ signal }) => call(api.listDiscountCodes({ path: { projectId }, signal })),
    staleTime: 0,
  })

export const checkKey = (projectId: string) => call(api.checkPaymentKey({ path: { projectId } }))

export const addProduct = (projectId: string, body: NewProduct) =>
  call(api.createPaymentProduct({ path: { projectId }, body }))

export const setPrice = (projectId: string, productId: string, amount: number) =>
  call(api.setPaymentPrice({ path: { projectId, productId }, body: { amount } }))

export const archiveProduct = (projectId: string, productId: string) =>
  call(api.archivePaymentProduct({ path: { projectId, productId } }))

export const addCode = (projectId: string, body: NewCode) =>
  call(api.createDiscountCode({ path: { projectId }, body }))

export const archiveCode = (projectId: string, codeId: string) =>
  call(api.archiveDiscountCode({ path: { projectId, codeId } }))
