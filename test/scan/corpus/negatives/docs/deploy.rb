# GET /api/v1/passports was removed
passport = Passport.find(params[:id])
render json: { score: passport.score || 0 }
