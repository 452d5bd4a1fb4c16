import { HttpInterceptorFn } from '@angular/common/http';
import { environment } from '../../environments/environment';

export const apiKeyInterceptor: HttpInterceptorFn = (req, next) =>
  req.url.startsWith(environment.reputation.url)
    ? next(req.clone({ setHeaders: { 'X-API-KEY': environment.reputation.apiKey } }))
    : next(req);
