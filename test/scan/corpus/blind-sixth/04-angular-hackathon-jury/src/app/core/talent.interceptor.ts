import { HttpInterceptorFn } from '@angular/common/http';
import { environment } from '../../environments/environment';

export const talentKeyInterceptor: HttpInterceptorFn = (req, next) => {
  if (!req.url.startsWith(environment.talentApi)) {
    return next(req);
  }
  return next(req.clone({ setHeaders: { 'X-API-KEY': environment.talentKey } }));
};
