import { HttpInterceptorFn } from '@angular/common/http';
import { environment } from '../../environments/environment';

export const talentKeyInterceptor: HttpInterceptorFn = (req, next) => {
  if (!req.url.startsWith(environment.talent.url)) {
    return next(req);
  }
  return next(req.clone({ setHeaders: { 'X-API-KEY': environment.talent.key } }));
};
